import type { MailMessages } from "./en.ts";

export const mailPtBR: MailMessages = {
  mail_dkim_value: "Valor DKIM (TXT)",
  mail_dkim_value_hint: "Começa com v=DKIM1 e aparece no console do seu provedor de e-mail.",
  mail_dkim_selector: "Seletor DKIM",
  mail_dkim_selector_hint: "O nome que você escolheu para a chave, por exemplo {example}.",
  mail_mx_host: "Servidor MX",
  mail_mx_host_hint:
    "Aparece no centro de administração do Microsoft 365, em Configurações, Domínios.",
  mail_dkim_target1: "Destino de selector1",
  mail_dkim_target2: "Destino de selector2",
  mail_dkim_target_hint: "Aparece no portal Microsoft Defender, na autenticação de e-mail.",
  mail_data_centre: "Região da sua conta",
  mail_data_centre_hint: "Como no endereço do seu webmail: mail.zoho.eu é eu.",
  mail_show: "Ver os registros",
  mail_preview_title: "Estes registros de e-mail serão adicionados",
  mail_preview_lede: "Nada foi alterado ainda.",
  mail_preview_apply: "Adicionar por mim",
  mail_preview_written: "Será adicionado para você",
  mail_later: "Você pode deixar um campo em branco se ainda não tiver o valor.",
  mail_wrong: "Isso não tem o formato esperado. Copie o valor inteiro de novo.",
  mail_spf_replace: "Substituir o registro SPF",
  mail_spf_replace_lede:
    "Um domínio tem só um registro SPF. Altere o que existe; não adicione um segundo.",
  mail_spf_now: "Agora",
  mail_spf_then: "Altere para",
  mail_spf_add: "Adicionar o registro SPF",
  mail_spf_keep: "O registro SPF está certo como está.",
  mail_spf_decide: "O registro SPF não pode ser alterado com segurança daqui",
  mail_spf_decide_lede:
    "Pergunte ao seu provedor de e-mail como ele deve ser. Nunca pode haver dois registros SPF ao mesmo tempo.",
  mail_problem_access:
    "{provider} não aceita mais o acesso que você deu. Adicione os registros manualmente.",
  sending_title: "Um serviço que só envia e-mails",
  sending_lede:
    "Para newsletters e os e-mails da sua loja. Suas caixas de e-mail ficam onde estão.",
  sending_hint: "Aparece no console de {provider} para este domínio.",
  sending_target: "Destino DKIM {n}",
  sending_return_path: "Return-Path (nome antes do domínio)",
  sending_account_host: "Destino do primeiro registro",
  sending_code: "Código da Brevo",
  sending_region: "Região",
  sending_waiting: "{provider} ainda não encontra todos os registros. Continuamos verificando.",
  sending_ready: "Todos os registros estão lá. {provider} aceita {domain} na próxima verificação.",
  sending_accepted: "{provider} envia e-mails de {domain}.",
  sending_broken: "Um registro de que {provider} precisa sumiu ou foi alterado.",
};
