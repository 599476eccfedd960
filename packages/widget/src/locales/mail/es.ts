import type { MailMessages } from "./en.ts";

export const mailEs: MailMessages = {
  mail_dkim_value: "Valor DKIM (TXT)",
  mail_dkim_value_hint: "Empieza por v=DKIM1 y aparece en la consola de tu proveedor de correo.",
  mail_dkim_selector: "Selector DKIM",
  mail_dkim_selector_hint: "El nombre que elegiste para la clave, por ejemplo {example}.",
  mail_mx_host: "Servidor MX",
  mail_mx_host_hint:
    "Aparece en el centro de administración de Microsoft 365, en Configuración, Dominios.",
  mail_dkim_target1: "Destino de selector1",
  mail_dkim_target2: "Destino de selector2",
  mail_dkim_target_hint: "Aparece en el portal Microsoft Defender, en la autenticación de correo.",
  mail_data_centre: "Región de tu cuenta",
  mail_data_centre_hint: "Como en la dirección de tu webmail: mail.zoho.eu es eu.",
  mail_later: "Puedes dejar un campo vacío si aún no tienes el valor.",
  mail_wrong: "No tiene la forma esperada. Copia de nuevo el valor entero.",
  mail_spf_replace: "Sustituir el registro SPF",
  mail_spf_replace_lede:
    "Un dominio solo tiene un registro SPF. Cambia el que hay; no añadas otro.",
  mail_spf_now: "Ahora",
  mail_spf_then: "Cámbialo por",
  mail_spf_add: "Añadir el registro SPF",
  mail_spf_keep: "El registro SPF es correcto tal como está.",
  mail_spf_decide: "El registro SPF no se puede cambiar con seguridad desde aquí",
  mail_spf_decide_lede:
    "Pregunta a tu proveedor de correo cómo debe ser. Nunca debe haber dos registros SPF a la vez.",
  mail_problem_access: "{provider} ya no acepta el acceso que diste. Añade los registros a mano.",
  sending_title: "Un servicio que solo envía correo",
  sending_lede: "Para boletines y el correo de tu tienda. Tus buzones se quedan donde están.",
  sending_hint: "Aparece en la consola de {provider} para este dominio.",
  sending_target: "Destino DKIM {n}",
  sending_return_path: "Return-Path (nombre antes del dominio)",
  sending_account_host: "Destino del primer registro",
  sending_code: "Código de Brevo",
  sending_region: "Región",
  sending_waiting: "{provider} todavía no encuentra todos los registros. Seguimos comprobando.",
  sending_ready:
    "Todos los registros están. {provider} aceptará {domain} en su próxima comprobación.",
  sending_accepted: "{provider} envía correo desde {domain}.",
  sending_broken: "Falta o ha cambiado un registro que {provider} necesita.",
};
